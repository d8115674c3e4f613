"""The pictures of the documentation: ``make pictures`` draws them again, a module a picture."""
