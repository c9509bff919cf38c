"""Demo workshop: a joinery with three months of orders and estimates."""
