"""Support vector machines: boundaries with the widest margin."""
