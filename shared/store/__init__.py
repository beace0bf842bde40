"""SQL, one file a table. Functions take the connection first; the caller owns the transaction."""
