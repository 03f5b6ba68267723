"""Players who look ahead in games dealt anew: they never see a card that is hidden from them."""
