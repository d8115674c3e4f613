"""One adapter a rival library: it turns a job into a `Part` with every setting the rival may choose."""
