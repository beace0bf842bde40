"""How requests reach Flask: an event loop waits for clients, and threads work for them.

gunicorn keeps the processes and speaks HTTP; `worker.py` is what each process runs. A client that
is slow to send or to read costs a connection here, never a thread.
"""
