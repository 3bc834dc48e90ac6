"""Programs that build the shipped data files; run each as ``python -m scripts.NAME``."""
