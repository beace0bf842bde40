"""What breaks when a process is killed or Redis is gone."""
