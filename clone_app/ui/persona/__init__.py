"""The page "About me": the persona document, read, edited and decided on by the user."""
