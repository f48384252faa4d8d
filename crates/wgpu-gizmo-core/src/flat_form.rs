//! The saved form of structs whose fields fall into groups.

/// Defines the form in which a struct of groups is saved: one flat struct, as before there were groups.
///
/// `#[serde(flatten)]` would write the same JSON. But formats that do not describe themselves cannot have it, and
/// RON would not read what it wrote before.
macro_rules! flat_form {
    ($name:literal, $grouped:ident as $flat:ident: $($field:ident: $type:ty = $($path:ident).+,)+) => {
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(default, rename = $name)]
        struct $flat {
            $($field: $type,)+
        }

        impl Default for $flat {
            fn default() -> Self {
                $grouped::default().into()
            }
        }

        impl From<$grouped> for $flat {
            fn from(grouped: $grouped) -> Self {
                Self { $($field: grouped.$($path).+,)+ }
            }
        }

        impl From<$flat> for $grouped {
            fn from(flat: $flat) -> Self {
                let mut grouped = Self::default();
                $(grouped.$($path).+ = flat.$field;)+
                grouped
            }
        }
    };
}

pub(crate) use flat_form;
