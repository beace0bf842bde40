"""What looks at all tables: export, import, erasure, retention, invariants, operations."""
