/// The JSON of a salon's id.
public typealias SalonIDCodec = IdentifierCodec
