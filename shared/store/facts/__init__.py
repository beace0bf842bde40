"""Facts: the table `structured_facts` from several sides, and the tables beside it."""
