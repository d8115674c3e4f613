"""One room per result: what a command computes, its record, its text, its page and its options."""
