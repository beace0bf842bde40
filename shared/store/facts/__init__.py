"""Facts: the table `structured_facts` and the tables that belong to it."""
