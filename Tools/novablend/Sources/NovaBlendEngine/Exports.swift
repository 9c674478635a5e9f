// These modules have the types of the engine's interface: a program that embeds it needs one import.
@_exported public import NovaBlendAccounts
@_exported public import NovaBlendConfiguration
@_exported public import NovaBlendMethods
