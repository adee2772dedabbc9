"""Play matches between programs, one or ten thousand.

The modules here find a bot and play one match. ``exam`` tries a bot, ``pairing`` says who meets
whom, ``runs`` plays many matches, ``workers`` plays them in processes that stay alive, ``store``
keeps them, ``statistics`` says what they tell, and ``results`` shows what was kept.
"""
