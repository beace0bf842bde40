"""What is counted and measured, and how Prometheus reads it."""
