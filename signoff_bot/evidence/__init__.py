"""The facts, and nothing but the facts: immutable data that imports no other room."""
