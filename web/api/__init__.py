"""The API under `/api/v1`: operations, their document, cursors, repeated requests."""
