"""Before the pages: choose or open a profile, then try the sample life or import one's own."""
