"""Java 25 for Jupyter: finds a JDK and hands over to it; the kernel itself is Java."""
