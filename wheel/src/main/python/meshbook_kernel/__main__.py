"""What the kernelspec runs: python -m meshbook_kernel -f CONNECTION_FILE"""
from .launcher import kernel

kernel()
