"""How requests reach Flask: an event loop serves the connections, and threads run the views.

gunicorn manages the processes and parses HTTP; `worker.py` is what each process runs. A client that
sends or reads slowly costs a connection here, never a thread.
"""
