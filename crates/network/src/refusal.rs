//! The error of the libraries.

use crate::refusal;
use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why something is refused. Its text says what was given, what is allowed, and what to do.
///
/// Where a caller needs more than the text, such as the nearest size that exists, this is attached as a value of a type of
/// its own. Two refusals are equal if their texts are.
///
/// ```
/// use frit_network::butterfly;
/// let refusal = butterfly(12).unwrap_err();
/// assert!(refusal.to_string().starts_with("the Butterfly does not exist with 12 terminals"));
/// assert_eq!(refusal.nearest(), Some(16));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Refusal {
    text: String,
    detail: Option<Arc<dyn Any + Send + Sync>>,
    cause: Option<Arc<dyn Error + Send + Sync>>,
}

impl Refusal {
    /// A refusal with this text: of another library's error, which says enough, or of one made by [`refusal!`](crate::refusal!).
    pub fn new(text: impl fmt::Display) -> Self {
        Refusal { text: text.to_string(), detail: None, cause: None }
    }

    /// The same refusal, with the error that caused it.
    pub fn because(self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Refusal { cause: Some(cause.into().into()), ..self }
    }

    /// The same refusal, with what a caller needs beside its text.
    pub fn with(self, detail: impl Any + Send + Sync) -> Self {
        Refusal { detail: Some(Arc::new(detail)), ..self }
    }

    /// There is no `what` of `given` terminals; a reason may follow the text.
    pub fn size(what: &str, given: u64, allowed: &str, nearest: u64, reason: &str) -> Self {
        refusal!(
            "{what} does not exist with {given} terminals; it needs {allowed}, and the nearest size is {nearest}{reason}"
        )
        .with(NearestSize(nearest))
    }

    /// The nearest size that exists, if it is a size that is wrong.
    pub fn nearest(&self) -> Option<u64> {
        self.detail().map(|&NearestSize(size)| size)
    }

    /// What is attached, if it has this type.
    pub fn detail<T: Any>(&self) -> Option<&T> {
        self.detail.as_ref()?.downcast_ref()
    }
}

/// The nearest size that exists: attached to the refusal of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearestSize(pub u64);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for Refusal {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_ref().map(|cause| &**cause as _)
    }
}

impl Eq for Refusal {}

impl PartialEq for Refusal {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// A [`Refusal`] with a text as in `format!`.
#[macro_export]
macro_rules! refusal {
    ($($text:tt)*) => { $crate::Refusal::new(::std::format_args!($($text)*)) };
}

/// Returns a [`Refusal`] with a text as in `format!`.
#[macro_export]
macro_rules! refuse {
    ($($text:tt)*) => { return ::std::result::Result::Err($crate::refusal!($($text)*)) };
}
