"""Says what is wrong with an IP-XACT file by the schema of IEEE 1685-2014: ip_xact.py SCHEMA FILE."""
import sys
import xmlschema

schema, file = sys.argv[1:]
errors = [f"{error.path}: {error.reason}" for error in xmlschema.XMLSchema(schema).iter_errors(file)]
print("\n".join(errors))
sys.exit(1 if errors else 0)
