"""Work on all tables: export, import, erasure, retention, invariants, operations."""
