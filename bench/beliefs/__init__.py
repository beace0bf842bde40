"""Does memory keep what it should, and not believe or repeat what it should not?"""
