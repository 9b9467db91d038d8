# %% [markdown]
# # Three tables of the documents
# A notebook of cells: Jupyter, VS Code and Spyder show each cell's result. `test_examples.py` compares them with the documents.

# %%
from pathlib import Path

import adjutant

# %% [markdown]
# ## A shot in Panzer8 (README: "See your chances before you roll")

# %%
shot = adjutant.load("panzer8").chart("fire").odds(ammo="hesa", firer={"hesa": 6}, target={"def": 4})
shot

# %% [markdown]
# ## A melee to the end (README: "A fight repeats charts until it is decided")

# %%
squad = {"type": "squad", "fp": 4, "half_fp": 2}
melee = adjutant.load("asl-starter-kit").fight("melee").odds(attackers=squad, defenders=squad)
melee

# %% [markdown]
# ## A wall on Lantern Hill (tutorial, chapter 2)
# The pack is the one that the tutorial writes, with its first two pieces.

# %%
tutorial = (Path(__file__).parents[2] / "docs/guide/tutorial.md").read_text(encoding="utf-8")
pieces = [piece.split("```")[0] for piece in tutorial.split("```toml pack=hill file=pack.toml\n")[1:3]]
wall = adjutant.load(text="\n".join(pieces)).chart("shoot").vary({"wall": ["no", "yes"]})
wall

# %%
wall.plot()
