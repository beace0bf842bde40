"""The Celery workers. Their tasks are thin: each calls one function of `shared`."""
