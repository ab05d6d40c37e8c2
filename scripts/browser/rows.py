"""What the drivers of pages share: the windows that pages are shown in, and the rows that drivers write."""

import json

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
MODES = {
    "light": (WIDE, {"color_scheme": "light", "reduced_motion": "no-preference"}),
    "dark": (WIDE, {"color_scheme": "dark", "reduced_motion": "no-preference"}),
    "reduced-motion": (WIDE, {"color_scheme": "light", "reduced_motion": "reduce"}),
    "narrow": (NARROW, {"color_scheme": "light", "reduced_motion": "no-preference"}),
}


def write(row, **members):
    print(json.dumps({"row": row, **members}), flush=True)
