"""The synchronous client, generated from `_async`; `backend.py` alone is written by hand."""
