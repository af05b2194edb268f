[inputs: ["*.ex"], line_length: 110]
