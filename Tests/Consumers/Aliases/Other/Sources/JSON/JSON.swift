/// The JSON of a different project.
public enum JSON { case null }
