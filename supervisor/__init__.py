"""Run all processes on one machine: `python -m supervisor`.

The order of the start is Postgres, Valkey, migrations, then the Procfile from top to bottom. The
order of the stop is in `stop_order.py`. All of it is one loop in the main thread: the kernel ends
children together with the thread that started them, and forking beside other threads is unsafe.
"""
