"""Do prompts have the current value of what has changed?"""
