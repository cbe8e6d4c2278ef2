"""Answers the passkey prompts of a real browser with a simulated device."""
