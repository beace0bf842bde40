"""The product beside mem0 and LangGraph's PostgresStore."""
