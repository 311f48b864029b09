"""The window: one folder a page; `jobs` alone turns work into signals."""
