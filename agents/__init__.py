"""Players: they know a game only through views and the Game interface."""
