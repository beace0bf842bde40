"""What the fields of requests may say, where several views or doors read the same field."""
