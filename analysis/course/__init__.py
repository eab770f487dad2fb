"""The course: lessons as data, the session of a learner, and what checks that lessons are true."""
