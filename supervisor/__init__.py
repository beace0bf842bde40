"""Runs everything on one machine: `python -m supervisor`.

Order up: Postgres, Valkey, migrations, then the Procfile from top to bottom. Order down: the
stages of `order.py`. One thread, one loop: the kernel ends children with the thread that
started them, and a second thread would make starting them unsafe.
"""
