"""The whole way of a first estimate, on the phones of the craftsperson and the client."""
