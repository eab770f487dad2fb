"""The course: lessons as data, and what checks that they are true."""
