"""The steps, by theme, and the list of all of them."""
