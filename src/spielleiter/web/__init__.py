"""The page in the browser, on which matches are watched, played and understood."""
