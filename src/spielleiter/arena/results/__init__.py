"""Gather what runs left behind and write it as CSV, JSON or one HTML page."""
