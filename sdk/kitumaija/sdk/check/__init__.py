"""`kitumaija check`: does a bot, in whatever language, do what the protocol asks of it?

The checker is the server that the bot dials. It leads the bot through *steps*, each with a plain
sentence of what is looked at (`steps/`, by theme). What a step is given to work with is an `Exam`;
the stream below it is a `Stream`, a match on it a `Table`. `runner` runs the steps and makes a
`Report` of what they found, `render` and `junit` show it.
"""
