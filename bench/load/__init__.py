"""A site beside many, slow, hostile or too many clients."""
