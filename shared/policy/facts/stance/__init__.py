"""Stance: does the user state this of themself, or deny, ask, imagine, quote, or tell of others?"""
