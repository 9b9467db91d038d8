# %% [markdown]
# # Three tables of the documents
# The same cells are in `tables.py`, for VS Code and Spyder, and in `tables.ipynb`, for Jupyter. Run them in a folder of the repository.
# The tests compare the tables with those of the documents.

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
here = [Path.cwd(), *Path.cwd().parents]
tutorial = next(path for folder in here if (path := folder / "docs/guide/tutorial.md").is_file()).read_text(encoding="utf-8")
pieces = [piece.split("```")[0] for piece in tutorial.split("```toml pack=hill file=pack.toml\n")[1:3]]
wall = adjutant.load(text="\n".join(pieces)).chart("shoot").vary({"wall": ["no", "yes"]})
wall

# %%
wall.plot()
