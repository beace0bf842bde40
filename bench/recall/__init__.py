"""Does recall find what a question needs, and what does it cost?"""
