"""The part of Celery that senders and workers share: task names, queues, application, sending.

Tasks carry ids, never text. A task may be lost or delivered twice: the `processing` row in
Postgres describes the job, and the sweep sends a lost task again.
"""
