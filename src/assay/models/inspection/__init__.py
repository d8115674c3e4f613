"""What a fitted model uses, column by column and region by region."""
