"""Demo workshops: a joinery and an upholsterer with three months of orders and estimates."""
