// OrderedJSON
